package io.shardmap.jdbc.fanout.datasource;

import io.shardmap.jdbc.error.SqlErrors;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An object of a JDBC interface that does what the public methods of another object do, and refuses all other methods by name. Methods
 * that an interface implements itself stay as they are.
 */
final class Facade implements InvocationHandler {
    private final Object target;
    private final String kind;

    private Facade(Object target, String kind) {
        this.target = target;
        this.kind = kind;
    }

    static <T> T of(Class<T> type, Object target) {
        String kind = type.getSimpleName();
        return type.cast(
                Proxy.newProxyInstance(Facade.class.getClassLoader(), new Class<?>[] {type}, new Facade(target, kind)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        if (method.getDeclaringClass() == java.sql.Wrapper.class && arguments != null) {
            return ofWrapper(proxy, method, arguments);
        }
        try {
            return method(method).invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        } catch (NoSuchMethodException missing) {
            if (method.isDefault()) {
                return byDefault(proxy, method, arguments);
            }
            throw refused(method);
        }
    }

    private Method method(Method wanted) throws NoSuchMethodException {
        return target.getClass().getMethod(wanted.getName(), wanted.getParameterTypes());
    }

    private @Nullable Object byDefault(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        } catch (UnsupportedOperationException none) {
            SQLException refused = refused(method);
            refused.addSuppressed(none);
            throw refused;
        }
    }

    private SQLException refused(Method method) {
        return SqlErrors.notSupported(
                "call must be one that a " + kind + " over all servers can answer: method=" + method.getName()
                        + "; use router.fanOut(map), or a connection for a key: router.openConnection(map, key)");
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> target.toString();
        };
    }

    /** Answers isWrapperFor and unwrap: it wraps nothing but itself. */
    static Object ofWrapper(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        boolean is = arguments[0] instanceof Class<?> type && type.isInstance(proxy);
        if (method.getName().equals("isWrapperFor")) {
            return is;
        }
        if (!is) {
            throw new SQLException("object must be of the type asked for: type=" + arguments[0], "22023");
        }
        return proxy;
    }
}
