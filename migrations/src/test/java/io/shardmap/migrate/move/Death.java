package io.shardmap.migrate.move;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The end of a mover at a crash point: nothing catches it, so nothing is tidied up but sessions, which end as a dead process's do. */
final class Death extends Error {
    private static final long serialVersionUID = 1L;

    /** Points that only reversible moves reach. */
    static final Set<CrashPoint> OF_A_WAY_BACK = EnumSet.of(
            CrashPoint.AFTER_BACK_RECORDED,
            CrashPoint.AFTER_BACK_PUBLICATION,
            CrashPoint.AFTER_BACK_SLOT,
            CrashPoint.AFTER_BACK_POSITION,
            CrashPoint.AFTER_BACK_BEGUN,
            CrashPoint.AFTER_BACK_SUBSCRIPTION,
            CrashPoint.AFTER_REVERSIBLE,
            CrashPoint.AFTER_REVERSING,
            CrashPoint.AFTER_IRREVERSIBLE);

    Death(CrashPoint point) {
        super(point.name(), null, false, false);
    }

    static MoveHooks at(CrashPoint fatal) {
        return point -> {
            if (point == fatal) {
                throw new Death(point);
            }
        };
    }

    /** A mover that stops at a point, once, until it is let go. */
    static final class Pause implements MoveHooks {
        private final CrashPoint where;
        private final AtomicBoolean passed = new AtomicBoolean();
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);

        Pause(CrashPoint where) {
            this.where = where;
        }

        @Override
        public void reached(CrashPoint point) {
            if (point == where && passed.compareAndSet(false, true)) {
                arrived.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        void awaitArrival() throws InterruptedException {
            if (!arrived.await(120, TimeUnit.SECONDS)) {
                throw new AssertionError("mover must arrive at " + where);
            }
        }

        /** The same for a mover in the background, which may fail before. */
        void awaitArrival(CompletableFuture<Throwable> mover) throws InterruptedException {
            for (int second = 0; second < 120; second++) {
                if (arrived.await(1, TimeUnit.SECONDS)) {
                    return;
                }
                if (mover.isDone()) {
                    throw new AssertionError("mover must arrive at " + where, mover.join());
                }
            }
            throw new AssertionError("mover must arrive at " + where);
        }

        void letGo() {
            go.countDown();
        }
    }
}
