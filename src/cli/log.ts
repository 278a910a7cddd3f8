import { pino } from 'pino'
import type { Log } from '../base/log.ts'
import type { ServerSettings } from '../settings/server-settings.ts'

export interface LogOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** A line of JSON for each fact; on a terminal a line that a person can read. */
export function createLog(level: ServerSettings['logLevel'], output: LogOutput): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const destination = output.isTTY ? { write: (line: string) => output.write(`${humanLine(line)}\n`) } : output
  return pino(options, { write: (line: string) => void destination.write(line) })
}

interface LogLine {
  readonly level: string
  readonly time: string
  readonly pid: number
  readonly event?: string
  readonly msg?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
}

/**
 * `10:11:12.345 warn  job parked (job.parked) job=17 attempts=5`, and the stack of an error below it. What would move the cursor,
 * such as a line feed in the name that somebody tried to sign in with, is shown as a sign.
 */
function humanLine(json: string): string {
  const { level, time, pid: _, event, msg, err, ...fields }: LogLine = JSON.parse(json)
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const line = [time.slice(11, 23), level.padEnd(5), msg ?? '', event === undefined ? '' : `(${event})`, ...details]
  const stack = err?.stack ?? err?.message
  const told = printable(line.filter((part) => part !== '').join(' '))
  return stack === undefined ? told : `${told}\n${stack.split('\n').map(printable).join('\n')}`
}

function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd')
}
