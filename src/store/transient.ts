import type { Json } from '../base/json.ts'

/** Values that expire: upload batches, idempotent answers, authorization codes. Shared by all processes. */
export interface TransientReader {
  /** Undefined also when it has expired. */
  find(key: string, now: string): Promise<Json | undefined>
}

export interface TransientWriter extends TransientReader {
  set(key: string, value: Json, expires: string): Promise<void>
  /** False when the key exists and has not expired. */
  add(key: string, value: Json, expires: string, now: string): Promise<boolean>
  remove(key: string): Promise<void>
  /** Gives how many expired values were removed. */
  sweep(now: string): Promise<number>
}
