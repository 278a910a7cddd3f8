// The program of a conversion process: does what its server orders, one conversion at a time, in folders that are gone afterwards.
import { stat, writeFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ConversionRefusal, type ConverterWork, type MadeFile } from '../converter.ts'
import type { ConversionOrder, ConversionReply, ConvertedFile } from './conversion-messages.ts'
import { programRunner } from './run-program.ts'

const outFolder = 'made'

// Whoever waits for a document must not wait for a conversion.
// Who may not come forward again stays as far back as its server is.
setPriority(Math.max(getPriority(), Number(process.argv[2])))
// Ctrl-C and service managers tell every process of a server; this one goes when its server does.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', endFamily)
watchServer()

process.on('message', async (order) => say(await answer(order as ConversionOrder)))
say({ kind: 'ready' })

async function answer(order: ConversionOrder): Promise<ConversionReply> {
  try {
    const { default: convert } = (await import(order.module)) as { readonly default: ConverterWork }
    const made = await convert({ ...order, ...programRunner(order), refuse })
    return { kind: 'made', files: await Promise.all(made.map((file, index) => placed(order, file, index))) }
  } catch (error) {
    if (error instanceof ConversionRefusal) return { kind: 'refused', message: error.message, isTooLarge: error.isTooLarge }
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function refuse(sentence: string): never {
  throw new ConversionRefusal(sentence)
}

async function placed(order: ConversionOrder, { path, bytes, ...said }: MadeFile, index: number): Promise<ConvertedFile> {
  const place = path === undefined ? join(order.folder, `${outFolder}-${index}`) : resolve(order.folder, path)
  if (!place.startsWith(order.folder + sep)) throw new Error(`${place} is not in the folder of the conversion.`)
  if (path === undefined) await writeFile(place, bytes ?? '')
  const { size: length } = await stat(place)
  const { name = null, mimeType = order.target, encoding = typeof bytes === 'string' ? 'UTF-8' : null } = said
  return { path: place, length, name, mimeType, encoding }
}

function say(reply: ConversionReply): void {
  process.send?.(reply, (error: Error | null) => {
    // Its server is gone.
    if (error !== null) endFamily()
  })
}

/** With the programs that it has started: all are in one group. */
function endFamily(): void {
  process.kill(-process.pid, 'SIGKILL')
}

/** In a thread: this one hears of nothing while it is in the middle of a file that takes for ever. */
function watchServer(): void {
  const watch = `
    const server = process.ppid
    setInterval(() => { if (process.ppid !== server) process.kill(-process.pid, 'SIGKILL') }, 1_000)`
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
}
