import { Problem } from '../../api/client.ts'
import { CodeMissing, loadAnew } from '../../api/code.ts'
import { told } from './told.ts'
import { useProblemWords } from './words.ts'

interface SaidProblem {
  readonly title: string
  readonly sentence: string
  readonly isOffline: boolean
  /** What can be done about it. */
  readonly action: string
  act(): void
}

/** What went wrong, in words, and what to do about it. */
export function useSaidProblem(error: unknown, retry: () => void): SaidProblem {
  const say = useProblemWords()
  const again = { isOffline: false, action: say('tryAgain'), act: retry }
  if (error instanceof CodeMissing)
    return {
      title: say('notLoaded'),
      sentence: say('notLoadedHint'),
      isOffline: true,
      action: say('loadAnew'),
      act: () => told(loadAnew()),
    }
  // What no server said is in no language that people chose.
  if (!(error instanceof Problem)) return { ...again, title: say('failed'), sentence: say('failedHint') }
  if (error.isOffline) return { ...again, title: say('offline'), sentence: say('offlineHint'), isOffline: true }
  if (error.status === 404) return { ...again, title: say('missing'), sentence: say('missingHint') }
  return { ...again, title: say('failed'), sentence: error.message }
}
