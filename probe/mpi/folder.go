package mpi

import (
	"os"
	"path/filepath"
)

// A job keeps its files in a folder of its own, and MPI's files too where MPI
// allows it. It holds a lock on a file there until it ends. If a job is killed,
// nobody holds its folder's lock, and the next job removes the folder.
const (
	folderPattern = "lastbit*"
	lockName      = "lock"
	socketName    = "rank0"
)

// folder is the folder of a job.
type folder struct {
	path string
	lock *os.File
}

// folderPlaces returns the places for folders, in the order of preference: in
// memory where the system has a place for that.
func folderPlaces() []string { return []string{"/dev/shm", os.TempDir()} }

// newFolder returns a new folder, locked.
func newFolder() (folder, error) {
	var err error
	for _, place := range folderPlaces() {
		var path string
		if path, err = os.MkdirTemp(place, folderPattern); err != nil {
			continue
		}
		var lock *os.File
		if lock, err = lockIn(path); err == nil {
			return folder{path, lock}, nil
		}
		os.RemoveAll(path)
	}
	return folder{}, err
}

// lockIn returns the lock of a folder. The file has its name only once it is
// locked, so that nobody takes a new folder for an orphaned one.
func lockIn(path string) (*os.File, error) {
	lock, err := os.CreateTemp(path, lockName)
	if err != nil {
		return nil, err
	}
	if err = tryLock(lock); err == nil {
		err = os.Rename(lock.Name(), filepath.Join(path, lockName))
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// socket returns the path of the socket that rank 0 connects to. It exists as
// long as the job runs.
func (f folder) socket() string { return filepath.Join(f.path, socketName) }

// remove removes the folder with everything in it, and the shared memory noted
// there.
func (f folder) remove() {
	removeFolder(f.path)
	f.lock.Close()
}

func removeFolder(path string) {
	removeSegments(path)
	os.RemoveAll(path)
}

// sweepFolders removes the folders of jobs that were killed. A folder without a
// lock may be somebody else's, and stays.
func sweepFolders(places []string) {
	for _, place := range places {
		found, err := filepath.Glob(filepath.Join(place, folderPattern))
		if err != nil {
			continue
		}
		for _, path := range found {
			if isOrphaned(path) {
				removeFolder(path)
			}
		}
	}
}

// isOrphaned reports whether a folder is this user's and has a lock that nobody
// holds.
func isOrphaned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !isOwn(info) {
		return false
	}
	lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer lock.Close()
	return tryLock(lock) == nil
}
