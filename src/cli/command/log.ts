import { styleText } from 'node:util'
import { pino } from 'pino'
import type { Log } from '../../base/log.ts'
import type { ServerSettings } from '../../settings/server-settings.ts'

export interface LogOutput {
  readonly isTTY?: boolean
  /** Whether colours are shown there and wanted (`NO_COLOR`). */
  hasColors?(): boolean
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
  const paint: Paint = output.hasColors?.() ? (colour, text) => styleText(colour, text, { validateStream: false }) : plain
  const destination = output.isTTY ? { write: (line: string) => output.write(`${humanLine(line, paint)}\n`) } : output
  return pino(options, { write: (line: string) => void destination.write(line) })
}

type Colour = 'dim' | 'green' | 'yellow' | 'red'
type Paint = (colour: Colour, text: string) => string

const plain: Paint = (_, text) => text
const colours: { readonly [level: string]: Colour } = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' }

interface LogLine {
  readonly level: string
  readonly time: string
  readonly pid: number
  readonly event?: string
  readonly requestId?: string
  readonly msg?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
}

/**
 * `10:11:12.345 warn  job parked job=17 attempts=5 (job.parked)`, by the clock on the wall, and the stack of an error below it. What
 * only helps to put lines together is left to JSON. What would move the cursor, such as a line feed in the name that a client
 * tried to sign in with, is shown as a sign.
 */
function humanLine(json: string, paint: Paint): string {
  const { level, time, pid: _, event, requestId: __, msg, err, ...fields }: LogLine = JSON.parse(json)
  const details = Object.entries(fields).map(
    ([name, value]) =>
      `${paint('dim', `${printable(name)}=`)}${printable(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  const told = [
    paint('dim', wallClock(time)),
    paint(colours[level] ?? 'red', level.padEnd(5)),
    ...(msg === undefined ? [] : [printable(msg)]),
    ...details,
    ...(event === undefined ? [] : [paint('dim', `(${printable(event)})`)]),
  ].join(' ')
  const stack = err?.stack ?? err?.message
  return stack === undefined ? told : `${told}\n${paint('dim', stack.split('\n').map(printable).join('\n'))}`
}

/** In local time, as the operator at the terminal sees it. */
function wallClock(time: string): string {
  const moment = new Date(time)
  const parts = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map((part) => String(part).padStart(2, '0'))
  return `${parts.join(':')}.${String(moment.getMilliseconds()).padStart(3, '0')}`
}

function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd')
}
