package mpi

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// MPICH makes its shared memory as a file in /dev/shm, whatever TMPDIR is, and
// removes the name once every rank has mapped it. Ranks that are killed earlier
// leave it there. So while MPI starts, rank 0, which makes the file, notes the
// names of its mapped files in the job's folder. Removing the folder removes
// those files too.
const (
	segmentPrefix = "/dev/shm/mpich_shar_tmp"
	notePrefix    = "segment-"
	notePeriod    = 20 * time.Millisecond
)

// noteSegmentsUntil notes the segments of this process in the job's folder
// until stop is closed.
func noteSegmentsUntil(stop <-chan struct{}, folder string) {
	for {
		noteSegments(folder)
		select {
		case <-stop:
			return
		case <-time.After(notePeriod):
		}
	}
}

// noteSegments notes the segments that this process has mapped. Without /proc
// it notes none.
func noteSegments(folder string) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		at := bytes.Index(line, []byte(segmentPrefix))
		if at < 0 {
			continue
		}
		name := strings.TrimSpace(string(line[at:]))
		note := filepath.Join(folder, notePrefix+filepath.Base(name))
		_ = os.WriteFile(note, nil, 0o600) // without the note a segment may stay behind
	}
}

// removeSegments removes the segments that are noted in a folder.
func removeSegments(folder string) {
	notes, err := filepath.Glob(filepath.Join(folder, notePrefix+"*"))
	if err != nil {
		return
	}
	for _, note := range notes {
		name := strings.TrimPrefix(filepath.Base(note), notePrefix)
		if path := filepath.Join("/dev/shm", name); strings.HasPrefix(path, segmentPrefix) {
			_ = os.Remove(path) // MPICH removes most of them
		}
	}
}
