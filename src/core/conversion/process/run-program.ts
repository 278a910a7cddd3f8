import { spawn } from 'node:child_process'
import { dirname, sep } from 'node:path'
import { once } from '../../../base/cache/memo.ts'
import { type ConversionJob, ConversionRefusal, type ProgramOutput, type ProgramRun } from '../converter.ts'
import type { ProgramName } from '../programs.ts'
import type { ConversionOrder } from './conversion-messages.ts'

// Of what a program prints about its work; the rest is dropped.
const maxErrorBytes = 16 * 1024

/** How a conversion runs programs: each in the process group of the conversion, so that they end together. */
export function programRunner({
  programs,
  folder,
  limits,
}: Pick<ConversionOrder, 'programs' | 'folder' | 'limits'>): Pick<ConversionJob, 'run' | 'has'> {
  return {
    has: (program) => programs.has(program),
    async run(program, args, options = {}) {
      const command = programs.get(program)
      if (command === undefined) throw new Error(`${program} is not there.`)
      const [first = command, ...before] = [...(await withoutNetwork()), command]
      return outputOf(program, first, [...before, ...args], { ...options, folder, maxBytes: limits.outputBytes })
    },
  }
}

interface Running extends ProgramRun {
  readonly folder: string
  readonly maxBytes: number
}

function outputOf(program: ProgramName, command: string, args: readonly string[], running: Running): Promise<ProgramOutput> {
  const { folder, maxBytes, accepts = [], environment = {} } = running
  const { promise, resolve, reject } = Promise.withResolvers<ProgramOutput>()
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } })
  const printed: Buffer[] = []
  let bytes = 0
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes) printed.push(chunk)
    else child.kill('SIGKILL')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-maxErrorBytes)
  })
  child.on('error', reject)
  child.on('close', (code, signal) => {
    const isGood = code === 0 || (code !== null && accepts.includes(code))
    if (bytes > maxBytes)
      reject(new ConversionRefusal(`${program} made more than ${maxBytes} bytes of the file.`, { isTooLarge: true }))
    else if (isGood) resolve({ stdout: Buffer.concat(printed), stderr: complaint })
    else reject(new ConversionRefusal(`${program} could not convert the file: ${endingOf(code, signal, complaint, folder)}`))
  })
  return promise
}

/** The last line says what it was about. Files are named in it by where they are, which is the server's own business. */
function endingOf(code: number | null, signal: string | null, complaint: string, folder: string): string {
  // Of the conversion: each of its steps has a folder there, and the file lies beside them.
  const place = `${dirname(folder)}${sep}`
  const last = complaint.trim().split('\n').at(-1)?.trim().replaceAll(`file:${place}`, '').replaceAll(place, '')
  return last || `it ended with ${signal ?? code}`
}

/**
 * What a program is started with so that it reaches no other machine: a network of its own with nothing in it, where the system lets
 * us make one. Where it does not, proxies that are nowhere keep well-behaved programs at home.
 */
const withoutNetwork = once(async (): Promise<readonly string[]> => {
  const isolate = ['unshare', '--map-current-user', '--net', '--']
  const [command = '', ...args] = isolate
  return (await succeeds(command, [...args, 'true'])) ? isolate : []
})

function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const child = spawn(command, args, { stdio: 'ignore' })
  child.on('error', () => resolve(false))
  child.on('close', (code) => resolve(code === 0))
  return promise
}
