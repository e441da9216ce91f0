import { defineConfig } from 'vitest/config';

const testTimeoutMs = 60_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
  },
});
