import { useInViewport } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'

/** A part of a page whose code and data load once it is scrolled into view; then it stays. */
export const WhenSeen = (props: { height: number; children: ReactNode }) => {
  const { ref, inViewport } = useInViewport()
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (inViewport) setSeen(true)
  }, [inViewport])
  return (
    <div ref={ref} style={{ minHeight: props.height }}>
      {isSeen && props.children}
    </div>
  )
}
