// Package hdf reads variables of netCDF and HDF5 files through the user's
// Python: h5py or netCDF4 for HDF5 and netCDF-4, netCDF4 or SciPy for classic
// netCDF.
//
// The library only turns the stored bytes into numbers. The masks of missing
// values and the units are computed by read.py, from the attributes.
package hdf
