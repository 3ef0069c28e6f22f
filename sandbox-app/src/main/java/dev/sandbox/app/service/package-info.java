/** What serving needs whatever the protocol: whose turn it is, what a request may ask for, whether the sandbox stands. */
@NullMarked
package dev.sandbox.app.service;

import org.jspecify.annotations.NullMarked;
