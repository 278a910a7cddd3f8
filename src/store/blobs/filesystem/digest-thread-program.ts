// The program of the thread that digests files: told of one with a message, it answers with what the file is.
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { countDigest } from '../blob-digest.ts'
import type { StoredBlob } from '../blob-store.ts'
import type { DigestOrder, DigestReply } from './digest-thread.ts'

const buffer = Buffer.allocUnsafeSlow(256 * 1024)

parentPort?.on('message', (order: DigestOrder) => parentPort?.postMessage(replyTo(order)))

function replyTo(order: DigestOrder): DigestReply {
  try {
    return { stored: digestOf(order) }
  } catch (error) {
    return { error }
  }
}

function digestOf({ path, digestAlgorithm }: DigestOrder): StoredBlob {
  const digest = countDigest(digestAlgorithm)
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) digest.add(buffer.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return digest.finish()
}
