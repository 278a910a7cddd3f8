import { queryOptions } from '@tanstack/react-query'
import { addressOf, call } from './client.ts'
import type { components } from './entities.ts'

type Schemas = components['schemas']

export type Pieces = Schemas['ConsolePieces']
export type PieceLayout = Schemas['ConsoleLayout']
export type PieceCondition = Schemas['ConsoleCondition']
export type PieceText = Schemas['ConsoleText']
export type PieceComponent = Schemas['ConsoleWidget']
export type PlacedPiece = Schemas['ConsolePlacedComponent']

/** What plugins add. It changes with the configuration of the server, so that it is asked for once a visit. */
export const piecesQuery = queryOptions({
  queryKey: ['pieces'] as const,
  queryFn: ({ signal }) => call<Pieces>('console', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Where the file of a component is. What could not be run is asked for at another address: browsers remember that it failed. */
export function fileAddressOf({ address }: Pick<PieceComponent, 'address'>, attempt: number): string {
  return addressOf(address, attempt === 0 ? {} : { attempt })
}
