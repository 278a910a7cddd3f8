import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { Message } from '../ui/message.tsx'
import { useAppWords } from './words.ts'

export function NotFound() {
  const say = useAppWords()
  return (
    <Message icon={Compass} title={say('notFound')} isPage>
      <p>{say('notFoundHint')}</p>
      <Link to="/">{say('toHome')}</Link>
    </Message>
  )
}
