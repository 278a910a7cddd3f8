import type { FieldDeclaration } from '../../field.ts'

/** Several fields declared alike, to be spread into a schema's fields. */
export function alike<Name extends string>(
  declaration: FieldDeclaration,
  ...names: readonly Name[]
): Record<Name, FieldDeclaration> {
  return Object.fromEntries(names.map((name) => [name, declaration])) as Record<Name, FieldDeclaration>
}
