import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemPanel } from '../../ui/problem-panel.tsx'
import { useSaidProblem } from './said-problem.ts'

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
  const { title, sentence, isOffline, action, act } = useSaidProblem(error, onRetry)
  return (
    <ProblemPanel title={title} sentence={sentence} isOffline={isOffline} retryLabel={action} isPage={isPage} onRetry={act} />
  )
}
