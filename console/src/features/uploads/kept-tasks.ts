import type { TaskShelf, UploadTask } from './upload-queue.ts'

const storeName = 'tasks'
const byOwner = 'byOwner'

/** In the browser's own database, files included: who comes back after a crash finds their uploads going on. */
export async function openKeptTasks(): Promise<TaskShelf & { listOf(owner: string): Promise<readonly UploadTask[]> }> {
  const opening = indexedDB.open('quire-uploads', 2)
  opening.onupgradeneeded = () => {
    const { result } = opening
    // Of tasks in the first version nobody knows whose they are.
    if (result.objectStoreNames.contains(storeName)) result.deleteObjectStore(storeName)
    result.createObjectStore(storeName, { keyPath: 'id' }).createIndex(byOwner, 'owner')
  }
  const database = await settled(opening)
  const tasks = (mode: IDBTransactionMode) => database.transaction(storeName, mode).objectStore(storeName)
  return {
    put: async (task) => void (await settled(tasks('readwrite').put(task))),
    remove: async (id) => void (await settled(tasks('readwrite').delete(id))),
    listOf: (owner) => settled<UploadTask[]>(tasks('readonly').index(byOwner).getAll(owner)),
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
