import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'

/** Lines that are known before their place in the archive has come, on the disk beside it. */
export interface Spool {
  add(line: string): Promise<void>
  /** All that were added, some at a time. */
  lines(): AsyncGenerator<readonly string[]>
  remove(): Promise<void>
}

const charactersAtOnce = 256 * 1024

export async function createSpool(path: string): Promise<Spool> {
  const file = await open(path, 'w', 0o600)
  let pending = ''
  const flush = async () => {
    const text = pending
    pending = ''
    if (text !== '') await file.appendFile(text)
  }
  return {
    async add(line) {
      pending += `${line}\n`
      if (pending.length >= charactersAtOnce) await flush()
    },
    async *lines() {
      await flush()
      let rest = ''
      for await (const chunk of createReadStream(path, 'utf8')) {
        const found = (rest + chunk).split('\n')
        rest = found.pop() ?? ''
        if (found.length > 0) yield found
      }
    },
    async remove() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}
