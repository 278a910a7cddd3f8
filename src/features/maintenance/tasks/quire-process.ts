import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { findJson, isJsonObject, type Json } from '../../../base/json.ts'
import type { Services } from '../../../rest/services.ts'
import { knownSettings } from '../../../settings/known-settings.ts'
import { serverSettings } from '../../../settings/server-settings.ts'
import { blobSettings } from '../../../store/blobs/blob-settings.ts'
import { storeSettings } from '../../../store/store-settings.ts'

// Those by which commands find what the server keeps. All else they find as it did.
const { config, data, repositories } = serverSettings
const { databaseUrl, databaseDirectUrl, databaseSchema } = storeSettings
const { blobs } = blobSettings
const places = knownSettings([{ config, data, repositories, databaseUrl, databaseDirectUrl, databaseSchema, blobs }])

const longestComplaint = 2_000

/**
 * Runs a command of this program on what this server keeps; each line of JSON that it prints is handed on. It is asked to stop when the
 * signal says so. What it complained about is given when it has ended.
 */
export async function runQuire(
  services: Services,
  wish: readonly string[],
  signal: AbortSignal,
  onLine: (line: { readonly [name: string]: Json }) => void,
): Promise<{ readonly complaint: string }> {
  const child = spawn(process.execPath, [join(services.programFolder, 'bin/quire.js'), ...wish], {
    // Addresses of databases have passwords in them, and arguments are seen by everybody on the machine.
    env: { ...process.env, ...placesOf(services) },
    // By the channel it knows when this process is gone, however that was.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  }) as ChildProcessByStdio<null, Readable, Readable> // whose types know no channel
  const stop = () => child.kill('SIGTERM')
  const ended = once(child, 'close')
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-longestComplaint)
  })
  const { createInterface } = process.getBuiltinModule('node:readline')
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = findJson(text)
    if (isJsonObject(line)) onLine(line)
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    await ended
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return { complaint: complaint.trim().replace(/^quire: /, '') }
}

function placesOf({ valuesOf }: Services): NodeJS.ProcessEnv {
  const values: Readonly<Record<string, unknown>> = {
    ...valuesOf(serverSettings),
    ...valuesOf(storeSettings),
    ...valuesOf(blobSettings),
  }
  const told = places.filter(({ name }) => values[name] !== undefined)
  return Object.fromEntries(told.map(({ name, variable }) => [variable, String(values[name])]))
}
