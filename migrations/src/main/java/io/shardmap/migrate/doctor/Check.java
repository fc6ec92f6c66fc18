package io.shardmap.migrate.doctor;

import java.util.List;

/** Thinks about one kind of fault. Stateless. */
@FunctionalInterface
interface Check {
    List<Finding> findings(Facts facts);
}
