// Package chromium drives a headless Chromium, for tests of pages.
package chromium
