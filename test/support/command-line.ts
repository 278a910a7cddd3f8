import { runCommandLine } from '../../src/cli/command/run-command-line.ts'
import { program } from '../../src/cli/program.ts'
import type { Terminal } from '../../src/command/command.ts'
import type { DatabasePlace } from './database-place.ts'
import type { Outcome } from './program.ts'

export interface Typed {
  readonly variables?: Readonly<Record<string, string>>
  /** What is typed when a secret is asked for. */
  readonly secret?: string
  /** Where somebody looks on. */
  readonly terminal?: Terminal
}

/** Types commands about the data of a place, in this process: what a real one does, without the time it takes to start. */
export function commandLineAt(place: DatabasePlace) {
  const run = async (args: readonly string[], { variables = {}, secret, terminal }: Typed = {}): Promise<Outcome> => {
    const printed: string[] = []
    const complained: string[] = []
    const code = await runCommandLine([...args, ...place.flags], program, {
      environment: variables,
      directory: place.folder,
      print: (text) => printed.push(text),
      complain: (text) => complained.push(text),
      readSecret: async () => secret,
      ...(terminal !== undefined && { terminal }),
    })
    return { code, printed: printed.join('\n'), complained: complained.join('\n') }
  }
  return {
    run,
    /** With `--json`; the result, read. What fails fails the test. */
    async json(args: readonly string[], typed?: Typed) {
      const { code, printed, complained } = await run([...args, '--json'], typed)
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complained}`)
      return JSON.parse(printed)
    },
  }
}
