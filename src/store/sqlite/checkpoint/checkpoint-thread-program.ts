// The program of the thread that writes the log back into the database, on a connection of its own. It is asked with a message, and
// answers when it is done.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { writeBack } from './write-back.ts'

// For so long it waits for its turn among writers; writers of the server wait for it without blocking anything.
const turnMilliseconds = 50

const database = new DatabaseSync(workerData as string, { timeout: turnMilliseconds, returnArrays: true })
database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -256; PRAGMA wal_autocheckpoint = 0')

parentPort?.on('message', (order: 'writeBack' | 'end') => {
  if (order === 'writeBack') {
    writeBack(database)
    parentPort?.postMessage('done')
  } else {
    database.close()
    parentPort?.close()
  }
})
