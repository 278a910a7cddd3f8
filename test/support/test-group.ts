import { createRequire } from 'node:module'
import { after, describe } from 'node:test'
import './at-end.ts' // First: what is to be done at the end is then a matter of the process, not of the first file that asks for it.
import { testFileName } from './test-files.ts'

const require = createRequire(import.meta.url)
const timeoutSeconds = 300
const endingSeconds = 60

/**
 * Declares the tests of several files, each as a suite with the name of the file, in one process: loading the server and warming it
 * up took longer than most files take. Not by `import`, which is over after the suite has been closed.
 */
export function declareTests(files: readonly string[]): void {
  for (const file of files) describe(testFileName(file), { timeout: timeoutSeconds * 1000 }, () => require(file))
  after(() => setTimeout(endAnyway, endingSeconds * 1000).unref())
}

/** The others wait for this process: seen once was one that Node.js kept for a timer which was none any more. */
function endAnyway(): void {
  console.error(`Ended ${endingSeconds} s after its last test, kept by ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit()
}
