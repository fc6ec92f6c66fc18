package io.shardmap.spring;

import java.sql.SQLException;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** A value is not a key of the map. The cause has the reason. */
public final class InvalidShardKeyException extends InvalidDataAccessApiUsageException {
    private static final long serialVersionUID = 1;

    InvalidShardKeyException(SQLException refusal) {
        super(String.valueOf(refusal.getMessage()), refusal);
    }
}
