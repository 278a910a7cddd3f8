import { Link } from '@tanstack/react-router'

export const kinds = ['types', 'schemas', 'facets', 'lifecycles'] as const
export type Kind = (typeof kinds)[number]

export interface DefinitionLinkProps {
  readonly kind: Kind
  readonly name: string
  /** What is looked for stays; the list has keys of its own. */
  readonly isInList?: boolean
}

export function DefinitionLink({ kind, name, isInList = false }: DefinitionLinkProps) {
  return (
    <Link
      to="/admin/$"
      params={{ _splat: `types/${encodeURIComponent(name)}` }}
      search={(before) => (isInList ? before : { kind })}
      {...(isInList && { tabIndex: -1 })}
    >
      {name}
    </Link>
  )
}
