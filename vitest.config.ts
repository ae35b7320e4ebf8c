import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    /** Most tests wait for processes, browsers and servers: more of them than cores may. */
    maxWorkers: 3,
    /** Tests read no configuration of the machine they run on. */
    env: { NO_COLOR: '1' },
  },
})
