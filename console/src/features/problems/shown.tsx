import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from '../../api/client.ts'
import { ProblemPanel } from '../../ui/problem-panel.tsx'
import { useProblemWords } from './words.ts'

export interface ShownProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Keeps the place while the data is on its way. */
  readonly waiting: ReactNode
  /** Without it there is no page. */
  readonly isPage?: boolean
  readonly children: (data: Data) => ReactNode
}

/** What a query brought, what stands in its place while it is asked, or the reason why it cannot be had. */
export function Shown<Data>({ query, waiting, isPage, children }: ShownProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Refused error={query.error} isPage={isPage} onRetry={() => void query.refetch()} />
  return waiting
}

interface RefusedProps {
  readonly error: unknown
  readonly isPage?: boolean
  readonly onRetry: () => void
}

export function Refused({ error, isPage, onRetry }: RefusedProps) {
  const say = useProblemWords()
  const isOffline = error instanceof Problem && error.isOffline
  const isMissing = error instanceof Problem && error.status === 404
  return (
    <ProblemPanel
      title={say(isOffline ? 'offline' : isMissing ? 'missing' : 'failed')}
      sentence={
        isOffline ? say('offlineHint') : isMissing ? say('missingHint') : error instanceof Error ? error.message : String(error)
      }
      isOffline={isOffline}
      retryLabel={say('tryAgain')}
      isPage={isPage}
      onRetry={onRetry}
    />
  )
}
