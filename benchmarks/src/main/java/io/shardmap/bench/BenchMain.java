package io.shardmap.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the benches that are named and prints their lines. */
final class BenchMain {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private BenchMain() {}

    /** Takes names of benches, or {@code all}; {@code --quick} for short rounds. */
    public static void main(String[] arguments) {
        List<String> names = new ArrayList<>(List.of(arguments));
        boolean quick = names.remove("--quick");
        Map<String, Bench> benches = benches(quick);
        if (names.equals(List.of("all"))) {
            names = List.copyOf(benches.keySet());
        }
        if (names.isEmpty() || !benches.keySet().containsAll(names)) {
            Progress.say("a bench must be one of " + String.join(", ", benches.keySet()) + ", all: name="
                    + String.join(" ", names));
            System.exit(USAGE);
        }
        System.exit(run(benches, names) ? 0 : FAILED);
    }

    private static Map<String, Bench> benches(boolean quick) {
        Rounds rounds = quick ? Rounds.QUICK : Rounds.FULL;
        Map<String, Bench> benches = new LinkedHashMap<>();
        benches.put("classpath", new ClasspathBench());
        benches.put("resolve", quick ? new ResolveBench(1, 100) : new ResolveBench(5, 400));
        benches.put("checkout", new CheckoutBench(rounds, new ColdStart(quick ? 3 : 15)));
        benches.put("point", new PointBench(rounds));
        benches.put("fanout", new FanOutBench(rounds));
        benches.put("query", quick ? new QueryBench(Rounds.QUICK, 30_000) : new QueryBench(Rounds.LONG, 1_000_000));
        benches.put("move", new MoveBench(quick ? MoveBench.Size.QUICK : MoveBench.Size.FULL));
        return benches;
    }

    /** Runs all even if one fails. */
    private static boolean run(Map<String, Bench> benches, List<String> names) {
        boolean done = true;
        for (String name : names) {
            Bench bench = benches.get(name);
            try {
                if (bench != null) {
                    bench.run(line -> System.out.println(line.json()));
                }
            } catch (Exception failure) {
                Progress.say("failed: " + name);
                failure.printStackTrace();
                done = false;
            }
        }
        return done;
    }
}
