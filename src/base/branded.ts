declare const brand: unique symbol

/** A string (or number) that was checked once, at the edge, and may be relied on from there. */
export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name }
