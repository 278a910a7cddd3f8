import { CloudOff, TriangleAlert } from 'lucide-react'
import { Button } from './button.tsx'
import { Message } from './message.tsx'

export interface ProblemPanelProps {
  readonly title: string
  /** What the server said. */
  readonly sentence: string
  readonly isOffline: boolean
  readonly retryLabel: string
  readonly isPage?: boolean
  onRetry(): void
}

/** Says in the place of what failed that it failed, and offers to try again; the rest of the page stays. */
export function ProblemPanel({ title, sentence, isOffline, retryLabel, isPage, onRetry }: ProblemPanelProps) {
  return (
    <Message icon={isOffline ? CloudOff : TriangleAlert} title={title} kind="problem" isPage={isPage}>
      <p>{sentence}</p>
      <Button onPress={onRetry}>{retryLabel}</Button>
    </Message>
  )
}
