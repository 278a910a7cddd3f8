import { useBlocker } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { type AskToLeave, isSpokesman, useAskedToLeave } from '../../ui/leaving.ts'
import { useFormWords } from './words.ts'

/**
 * Asks before what was typed goes with the page or with the dialog that it stands in, also where the browser leaves it, as it does to
 * sign in again. A step that replaces the address stays where one is: a filter, the page of a file.
 */
export function LeaveQuestion({ isAsked }: { readonly isAsked: boolean }) {
  const say = useFormWords()
  const [leave, setLeave] = useState<() => void>()
  const ask: AskToLeave = useCallback((next) => setLeave(() => next), [])
  useAskedToLeave(isAsked, ask)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ action }) => action !== 'REPLACE' && isSpokesman(ask),
    enableBeforeUnload: isAsked,
    disabled: !isAsked,
    withResolver: true,
  })
  const answer = (then?: () => void) => {
    setLeave(undefined)
    then?.()
  }
  return (
    <Confirm
      title={say('leave')}
      sentence={say('leaveHint')}
      isOpen={leave !== undefined || status === 'blocked'}
      words={{ confirm: say('leaveAnyway'), cancel: say('stay') }}
      onConfirm={() => answer(leave ?? proceed)}
      onClose={() => answer(reset)}
    />
  )
}
