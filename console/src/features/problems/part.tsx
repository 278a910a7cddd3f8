import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { loadCode } from '../../api/code.ts'
import { Shown } from './shown.tsx'

/** The code of a part of the console, which stays once it is there; also without a network, as the browser may have it. */
export function partQuery<Code>(name: string, load: () => Promise<Code>) {
  return queryOptions({
    queryKey: ['parts', name] as const,
    queryFn: () => loadCode(load),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    structuralSharing: false,
  })
}

export interface PartProps<Code> {
  readonly name: string
  load(): Promise<Code>
  /** Keeps its place meanwhile. */
  readonly waiting: ReactNode
  readonly children: (code: Code) => ReactNode
}

/**
 * A part whose code comes when it is first needed. `Suspense` is not for where somebody waits for rows: React leaves a fallback that it has
 * shown for 300 ms, however soon the code is there.
 */
export function Part<Code>({ name, load, waiting, children }: PartProps<Code>) {
  return (
    <Shown query={useQuery(partQuery(name, load))} waiting={waiting}>
      {children}
    </Shown>
  )
}
