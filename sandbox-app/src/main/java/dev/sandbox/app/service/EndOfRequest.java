package dev.sandbox.app.service;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;

/** When a request is answered: at the end of its servlet, or, for an asynchronous one, when that completes. */
public final class EndOfRequest {
    private EndOfRequest() {}

    /** Does it once, at once when the servlet has answered already. To be called behind the servlet, by its thread. */
    public static void then(HttpServletRequest request, Runnable action) {
        if (!request.isAsyncStarted()) {
            action.run();
            return;
        }
        request.getAsyncContext().addListener(new AsyncListener() {
            @Override
            public void onComplete(AsyncEvent event) {
                action.run();
            }

            @Override
            public void onTimeout(AsyncEvent event) {}

            @Override
            public void onError(AsyncEvent event) {}

            @Override
            public void onStartAsync(AsyncEvent event) {}
        });
    }
}
