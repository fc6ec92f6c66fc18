package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodePointOrderTest {
    private static final int[] CODE_POINTS = {
        0, 'a', 'b', 0x7f, 0xe9, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff
    };

    @Test
    void isTheOrderOfUtf8Bytes() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            String a = text(random);
            String b = text(random);
            int expected =
                    Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
            assertEquals(Integer.signum(expected), Integer.signum(CodePointOrder.compare(a, b)), a + " and " + b);
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
        }
        return text.toString();
    }
}
