import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../faults/kill/random.ts'
import { findOrphanBlobs } from '../../support/blob-flaws.ts'
import { commandLineAt } from '../../support/command-line.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import { startServerProgram, stopProgram } from '../../support/server-programs.ts'
import type { Journal } from './journal.ts'
import { resumeUploads } from './resume.ts'
import { settle } from './settle.ts'
import { remove, uploadUntilCutOff } from './writer.ts'

const uploaders = 6
const maxDocuments = 60
// What rounds before the last one left is collected while files are uploaded; a request does not take this long.
const collecting = ['--blob-gc-grace', '10s', '--blob-gc-max-share', '100']

/**
 * Starts a server, has it killed in the middle of many uploads and attachments, starts it again, and gives the promises that it breaks:
 * about what is in the database and in the blob store, and about uploads that clients go on with.
 */
export async function killServerWhileUploading(
  place: DatabasePlace,
  journal: Journal,
  random: Random,
  flags: readonly string[] = [],
): Promise<readonly string[]> {
  await uploadAndKill(place, journal, random, [...collecting, ...flags])
  const program = await startServerProgram(place, flags)
  try {
    const broken = await settle(journal, place)
    const resumed = broken.length === 0 ? await resumeUploads(program.url, journal) : []
    for (const id of [...journal.documents.keys()].slice(maxDocuments)) await remove(program.url, journal, id)
    return [...broken, ...resumed]
  } finally {
    await stopProgram(program)
  }
}

async function uploadAndKill(place: DatabasePlace, journal: Journal, random: Random, flags: readonly string[]): Promise<void> {
  const program = await startServerProgram(place, flags)
  try {
    const uploading = Promise.all(Array.from({ length: uploaders }, () => uploadUntilCutOff(program.url, journal, random)))
    await Promise.race([uploading, reached(journal, journal.acknowledged + random.between(10, 150), program.ended)])
    await pause(random.between(0, 25))
    program.kill('SIGKILL')
    await uploading
  } finally {
    program.kill('SIGKILL')
    await program.ended
  }
}

/**
 * Waits for so many acknowledged requests, as long as there is a server; the moment after the last of them is any moment for the others.
 */
async function reached(journal: Journal, acknowledged: number, ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver && journal.acknowledged < acknowledged) await pause(2)
}

// The collection leaves alone what came within the last two seconds.
const youngMilliseconds = 2_500

/** Has all garbage collected that killed servers left, and gives what is wrong with the files then. No server runs meanwhile. */
export async function collectGarbage(place: DatabasePlace): Promise<readonly string[]> {
  const shell = commandLineAt(place)
  await pause(youngMilliseconds)
  await shell.json(['gc', '--blob-gc-grace', '0s', '--remove-anyway'])
  const checked = await shell.run(['check'])
  return [...(checked.code === 0 ? [] : [checked.complained]), ...(await findOrphanBlobs(place))]
}
