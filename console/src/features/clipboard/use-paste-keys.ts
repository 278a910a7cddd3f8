import { useEffect, useRef } from 'react'
import type { Document } from '../../api/types.ts'
import { isTyping } from '../../ui/commands.ts'
import { sendFilesTo } from '../uploads/send-files.ts'
import { canPasteInto, usePaste } from './use-paste.ts'

/** What is pasted while one looks at a folder goes there: files from other programs, else what is on the clipboard of the console. */
export function usePasteKeys(folder: Document): void {
  const { ids, paste } = usePaste(folder)
  const pasted = (event: ClipboardEvent) => {
    if (isTyping(event.target) || document.querySelector('[role="dialog"]') !== null || !canPasteInto(folder)) return
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length > 0) sendFilesTo(folder.uid, files)
    else if (ids.length > 0) paste()
    else return
    event.preventDefault()
  }
  const latest = useRef(pasted)
  useEffect(() => {
    latest.current = pasted
  })
  useEffect(() => {
    const heard = (event: ClipboardEvent) => latest.current(event)
    addEventListener('paste', heard)
    return () => removeEventListener('paste', heard)
  }, [])
}
