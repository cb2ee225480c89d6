import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Left to itself vitest keeps a core free, which is half of a machine with two.
    maxWorkers: '100%',
    testTimeout: process.env['SALON_TEST_LONG'] === undefined ? 30_000 : 3_600_000,
    hookTimeout: 60_000,
  },
});
