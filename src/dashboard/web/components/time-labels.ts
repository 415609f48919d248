const pad = (value: number) => String(value).padStart(2, "0");
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Of the places of a time axis, in seconds: 24 hours, the day where it changes. The first place is where one
 * begins if it is midnight.
 */
export function timeLabels(places: readonly number[], increment: number): string[] {
  let lastDay = -1;
  return places.map((place) => {
    const time = new Date(place * 1000);
    const day = time.getDate();
    const clock = `${pad(time.getHours())}:${pad(time.getMinutes())}`;
    const isNewDay = lastDay === -1 ? clock === "00:00" : day !== lastDay;
    lastDay = day;
    if (increment >= 86_400 || isNewDay) return `${day} ${months[time.getMonth()]}`;
    return increment < 60 ? `${clock}:${pad(time.getSeconds())}` : clock;
  });
}
