import type { TaskShelf, UploadTask } from './upload-queue.ts'

const storeName = 'tasks'

/** In the browser's own database, files included: who comes back after a crash finds their uploads going on. */
export async function openKeptTasks(): Promise<TaskShelf & { list(): Promise<readonly UploadTask[]> }> {
  const opening = indexedDB.open('quire-uploads', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'id' })
  const database = await settled(opening)
  const tasks = (mode: IDBTransactionMode) => database.transaction(storeName, mode).objectStore(storeName)
  return {
    put: async (task) => void (await settled(tasks('readwrite').put(task))),
    remove: async (id) => void (await settled(tasks('readwrite').delete(id))),
    list: () => settled<UploadTask[]>(tasks('readonly').getAll()),
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
