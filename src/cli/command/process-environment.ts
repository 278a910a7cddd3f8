import type { CommandEnvironment, ExitCode, Terminal } from '../../command/command.ts'

/** Progress is drawn where complaints go, so that a result can be piped while the progress is shown. */
const terminal: Terminal = {
  get columns() {
    return process.stderr.columns ?? 80
  },
  draw: (line) => process.stderr.write(`\r\u001b[K${line}`),
}

/** The world around a command that runs as this process. */
export const processEnvironment: CommandEnvironment = {
  environment: process.env,
  directory: process.cwd(),
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  ...(process.stderr.isTTY && { terminal }),
  readSecret: async (question) => {
    const { readSecret } = await import('./read-secret.ts')
    return readSecret(question, process.stdin, process.stderr)
  },
}

/** Ends the process when all that was printed was taken: a pipe takes 64 KB at a time, and the rest would be lost. */
export async function endProcess(code: ExitCode): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(untilTaken))
  process.exit(code)
}

function untilTaken(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}

// A log that cannot be written, for its disk is full or its reader gone, has nowhere to be complained about.
process.stderr.on('error', () => {})

// The reader may stop early, as `head` does; that is no failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
