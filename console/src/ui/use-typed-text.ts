import { useEffect, useState } from 'react'

const pauseMilliseconds = 200

/** The text of a field, which is handed on once somebody stops typing. */
export function useTypedText(value: string, onPause: (text: string) => void): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the pause anew
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onPause(text.trim()), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
