import { useFormats } from '../../words/formats.ts'
import { useClipboard } from './use-clipboard.ts'
import { useClipboardWords } from './words.ts'

/** How much is on the clipboard, beside its name. */
export function ClipboardCount() {
  const say = useClipboardWords()
  const { number } = useFormats()
  const { ids } = useClipboard()
  if (ids.length === 0) return null
  return (
    <>
      <span aria-hidden>{number(ids.length)}</span>
      <span className="only-read">{say('waiting', { count: ids.length })}</span>
    </>
  )
}
