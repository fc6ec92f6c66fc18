/** Auto-configuration for Spring Boot 4. */
@NullMarked
package io.shardmap.spring;

import org.jspecify.annotations.NullMarked;
