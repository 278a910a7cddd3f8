import type { Json } from '../base/json.ts'
import type { HeldBy } from '../base/typed-name.ts'

export interface TransientValue<Value = Json> {
  readonly key: string
  readonly value: Value
}

/** Values that expire: upload batches, idempotent answers, authorization codes. Shared by all processes. */
export interface TransientReader {
  /** Undefined also when it has expired. */
  find<Key extends string>(key: Key, now: string): Promise<HeldBy<Key> | undefined>
  /** Of these those that are there and have not expired, in no order. */
  findAll(keys: readonly string[], now: string): Promise<readonly TransientValue[]>
  /** Those whose keys begin with the prefix, which ends in an ASCII character, and have not expired, by key in code-point order. */
  list<Prefix extends string>(prefix: Prefix, now: string): Promise<readonly TransientValue<HeldBy<Prefix>>[]>
}

export interface TransientWriter extends TransientReader {
  set<Key extends string>(key: Key, value: HeldBy<Key>, expires: string): Promise<void>
  /** False when the key exists and has not expired. */
  add<Key extends string>(key: Key, value: HeldBy<Key>, expires: string, now: string): Promise<boolean>
  /**
   * Takes something for so many seconds; false while another has it. Who seems to have it for more than twice as long took it when the
   * clock was ahead, and is not waited for. Clocks of several machines may differ by as much as it is taken for.
   */
  lease(key: string, seconds: number, now: string): Promise<boolean>
  /** Gives those that have not expired yet, and whose keys begin with the prefix, until then. */
  renew(prefix: string, expires: string, now: string): Promise<void>
  /** Adds to a number, which is 0 when there is none, and gives the sum; several may do so at once and none is lost. */
  increase(key: string, by: number, expires: string, now: string): Promise<number>
  remove(key: string): Promise<void>
  /** All whose keys begin with the prefix. */
  removeAll(prefix: string): Promise<void>
  /** Gives how many expired values were removed. */
  sweep(now: string): Promise<number>
}
