/** Keeps the figures of the start page up to date: fetches the page again and replaces the parts that have changed. */
const everyMs = 10_000
const live = ['figures', 'arena']

const refresh = async () => {
  if (document.hidden) return
  const response = await fetch('/', { headers: { accept: 'text/html' } })
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const id of live) {
    const [now, next] = [document.getElementById(id), fresh.getElementById(id)]
    // A part with a focused link is not replaced.
    if (!now || !next || now.contains(document.activeElement) || now.innerHTML === next.innerHTML)
      continue
    now.replaceChildren(...next.childNodes)
  }
}

// If the server cannot be reached, the page keeps its content.
setInterval(() => refresh().catch(() => {}), everyMs)
