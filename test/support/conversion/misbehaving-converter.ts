import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type ConversionJob, ConversionRefusal, type ConverterWork } from '../../../src/core/conversion/converter.ts'

const deeds: { readonly [name: string]: (job: ConversionJob) => Promise<string> } = {
  async hang() {
    for (;;);
  },
  /** Hangs until a moment, which the second attempt comes after. */
  async hangFirst({ parameters }) {
    if (Date.now() < Number(parameters['until'])) for (;;);
    return 'done'
  },
  async eat() {
    const eaten: Buffer[] = []
    for (;;) eaten.push(Buffer.alloc(32 * 1024 ** 2, eaten.length))
  },
  async heap() {
    const eaten: string[][] = []
    for (;;) eaten.push(Array.from({ length: 100_000 }, (_, index) => `${index} of ${eaten.length}`))
  },
  async flood({ folder }) {
    for (let number = 0; ; number += 1) await writeFile(join(folder, `${number}`), Buffer.alloc(1024 ** 2))
  },
  /** A program that outlives it, unless somebody sees to it. */
  async orphan({ parameters }) {
    const child = spawn('sleep', [parameters['seconds'] ?? '600'], { stdio: 'ignore' })
    child.unref()
    for (;;);
  },
  async crash() {
    process.kill(process.pid, 'SIGSEGV')
    return new Promise(() => {})
  },
  async fail() {
    throw new Error('a secret of the server')
  },
  async refuse() {
    throw new ConversionRefusal('It is written in invisible ink.')
  },
  async nothing() {
    return ''
  },
  async connect({ parameters }) {
    const { promise, resolve } = Promise.withResolvers<string>()
    try {
      const socket = connect(Number(parameters['port']), '127.0.0.1', () => resolve('connected'))
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
    } catch (error) {
      resolve(String((error as NodeJS.ErrnoException).code))
    }
    return promise
  },
  async write({ parameters }) {
    try {
      writeFileSync(parameters['path'] ?? '', 'x')
      return 'written'
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code)
    }
  },
  async environment() {
    return JSON.stringify(process.env)
  },
  async where({ folder }) {
    return folder
  },
  async processId() {
    return String(process.pid)
  },
  async sleep({ parameters }) {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    execFile('sleep', [parameters['seconds'] ?? '0'], (error) => (error === null ? resolve('slept') : reject(error)))
    return promise
  },
}

/** Does what its parameter says, good or bad. */
const misbehave: ConverterWork = async (job) => {
  const said = await deeds[job.parameters['deed'] ?? '']?.(job)
  return said === '' || said === undefined ? [] : [{ bytes: said }]
}

export default misbehave
