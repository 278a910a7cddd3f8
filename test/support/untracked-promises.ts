// Loaded before every test file. The test runner follows each promise to tell which test an error belongs to that nobody caught, which
// took a tenth of all processor time. Tests and hooks are declared without waiting for anything, so that it finds their suites all the
// same. An error that nobody caught still fails the run: it is printed with its stack, and counts for the process instead of the test.
import hooks from 'node:async_hooks'

const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })

// Nobody reads the report any more, as when the run was killed: to tell of that would fail as well, and again.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1))

process.on('uncaughtExceptionMonitor', (error) => console.error('FAILED, caught by nobody:', error))
process.on('unhandledRejection', (reason) => {
  console.error('FAILED, caught by nobody:', reason)
  process.exitCode = 1
})
