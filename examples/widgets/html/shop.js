// A game dispatches this event after it has shown the outcome.
document.addEventListener('tessera-play', ({ detail: { play, balance } }) => {
  document.querySelector('#said').textContent =
    `${play.reward.label}. There are ${balance} points now.`
})
