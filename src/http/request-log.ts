import { appendFile } from 'node:fs/promises'
import type { Log } from '../base/log.ts'
import type { Call } from './answer/http-exchange.ts'

/** A line for each answer, in the form that web servers have in common. */
export interface RequestLog {
  note(call: Call, status: number): void
  /** Settles when all that was noted is written. */
  close(): Promise<void>
}

const collectMilliseconds = 500
// A disk that takes no more must not fill the memory: what comes then is missing, and the log says how much.
const mostWaiting = 4_000_000
const longestField = 2_000

/**
 * @param file written to with `a`, and opened anew each time: whoever rotates it need not tell the server. `-` is standard output.
 */
export function createRequestLog(file: string, log: Log): RequestLog {
  const append = file === '-' ? writeOut : (lines: string) => appendFile(file, lines, { mode: 0o640 })
  let waiting = ''
  let lost = 0
  let writing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeWaiting)
    return writing
  }

  async function writeWaiting(): Promise<void> {
    const [lines, missing] = [waiting, lost]
    waiting = ''
    lost = 0
    if (lines === '') return
    try {
      await append(lines)
      if (missing > 0) log.error({ event: 'requestLog.late', file, lost: missing }, 'requests are missing in the request log')
    } catch (err) {
      const lostLines = missing + lines.split('\n').length - 1
      log.error({ event: 'requestLog.failed', file, lost: lostLines, err }, 'the request log could not be written')
    }
  }

  return {
    note(call, status) {
      if (waiting.length > mostWaiting) lost += 1
      else waiting += `${lineOf(call, status, new Date())}\n`
      timer ??= setTimeout(write, collectMilliseconds)
    },
    close: write,
  }
}

function writeOut(lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(lines, (error) => (error ? reject(error) : resolve()))
  })
}

/** Without queries, in which there may be words of documents and tokens. */
function lineOf(call: Call, status: number, now: Date): string {
  const { request, user = '-' } = call
  const { headers, httpVersion } = request.raw
  const bytes = request.raw.socket.bytesWritten - call.bytesBefore
  const milliseconds = Math.round(performance.now() - call.startedAt)
  return [
    request.clientAddress,
    '-',
    token(user),
    `[${clock(now)}]`,
    quoted(`${request.method} ${call.shownPath} HTTP/${httpVersion}`),
    status,
    bytes,
    quoted((headers.referer ?? '-').replace(/[?#].*/s, '')),
    quoted(headers['user-agent'] ?? '-'),
    token(call.id),
    milliseconds,
  ].join(' ')
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `10/Oct/2026:13:55:36 +0000` */
function clock(now: Date): string {
  const day = String(now.getUTCDate()).padStart(2, '0')
  return `${day}/${months[now.getUTCMonth()]}/${now.getUTCFullYear()}:${now.toISOString().slice(11, 19)} +0000`
}

/** A field without quotes: blanks would end it. */
function token(text: string): string {
  return escaped(text).replaceAll(' ', '\\x20')
}

function quoted(text: string): string {
  return `"${escaped(text)}"`
}

/** Nobody ends a field, or a line, but the log itself. */
function escaped(text: string): string {
  return text
    .slice(0, longestField)
    .replace(/["\\]/g, '\\$&')
    .replace(/[^\x20-\x7e]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    )
}
