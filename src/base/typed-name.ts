import type { Json } from './json.ts'

declare const held: unique symbol

/**
 * A name under which JSON of one type is stored, such as the kind of a job or the key of a value that expires: who writes it and who
 * reads it mean the same type. That what is read there was written by this program is what makes it true.
 */
export type TypedName<Value> = string & { readonly [held]: Value }

/** The type of what is stored under the name; of a plain text nothing is known. */
export type HeldBy<Name extends string> = Name extends TypedName<infer Value> ? Value : Json

/**
 * The type as it is where JSON can hold all of it. An interface is no `Json` to the compiler, as others may add members to it, so its
 * members are looked at instead.
 */
type JsonOf<Value> = { [Name in keyof Value]: JsonMember<Value[Name]> }

type JsonMember<Value> = Value extends Json | undefined
  ? Value
  : Value extends (...args: never) => unknown
    ? never
    : Value extends object
      ? JsonOf<Value>
      : never

export function typedName<Value extends JsonOf<Value>>(name: string): TypedName<Value> {
  return name as TypedName<Value>
}
